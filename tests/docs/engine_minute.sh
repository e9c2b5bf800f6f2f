#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long

# A minute of scripts/engine_hour.sh: both examples with random calls under sanitizers, which it builds.
"$SOURCE/scripts/engine_hour.sh" 60 "$PWD/engine"

#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: long

# A bake that is killed twenty times at any time.
KILLS=20 exec bash "$SOURCE/tests/cli/bake_kill.sh"

#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# man.sh SINEW: prints the manual page sinew(1), made of what the --help of that tool says.
set -eu
tool=$1

# text as it stands: backslashes, dashes, and dots and quotes at the beginning of a line mean something to roff
plain() { sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/'/\\\\(aq/g" -e 's/^\./\\\&./'; }
verbatim() { printf '.nf\n%s\n.fi\n' "$(plain)"; }

usage=$("$tool" --help)
commands=$(sed -n 's/^  sinew \([a-z]*\) .*/\1/p' <<<"$usage")
printf '.TH SINEW 1 "" "%s" "User commands"\n' "$("$tool" --version)"
printf '.SH NAME\nsinew \\- %s\n' "$(sed -n '1s/^Sinew //; 1s/\.$//p' <<<"$usage" | plain)"
printf '.SH SYNOPSIS\n'
sed -n 's/^usage: //p' <<<"$usage" | verbatim
for command in $commands; do
    [ "$command" != COMMAND ] || continue
    help=$("$tool" "$command" --help)
    printf '.SH %s\n' "$(head -n 1 <<<"$help" | tr '[:lower:]' '[:upper:]' | cut -d ' ' -f 1-2)"
    verbatim <<<"$help"
done
printf '.SH EXIT STATUS\n'
sed -n 's/^exit codes: //p' <<<"$usage" | plain

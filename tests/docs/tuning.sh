#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0
# label: full

# docs/tuning.md and docs/formats.md: ranges and defaults of all controls are those of the tool; the commands run and the pictures
# are there.
set -eu
page=$SOURCE/docs/tuning.md
wrong() {
    echo "$*" >&2
    exit 1
}

# "--softness Hz  about;" and on the next line "0.5..50 Hz, otherwise 5"
"$SINEW" bake --help | awk '/^  --[a-z]+ (Hz|m|X) / { name = $1; next }
    name && $1 ~ /^-?[0-9.]+\.\.[0-9.]+/ {
        range = $1
        usual = $0
        sub(/,$/, "", range)
        if (!sub(/.*otherwise /, "", usual)) usual = ""
        sub(/;.*/, "", usual)
        print name, range, usual
        name = ""
    }' >controls
[ "$(wc -l <controls)" -ge 7 ] || wrong "only $(wc -l <controls) controls in the help"
while read -r option range usual; do
    grep -qE "^\| \`$option\` \| [A-Za-z]* ?\| $range \| ${usual:+$usual }\|" "$page" ||
        wrong "tuning.md: $option should have the range $range and the default '$usual'"
    grep -qE "^\| \`${option#--}\` \| ([A-Za-z]+, )?$range \| ${usual:-by}" "$SOURCE/docs/formats.md" ||
        wrong "formats.md: ${option#--} should have the range $range and the default '$usual'"
    grep -q "^\*\*\`$option\`" "$page" || wrong "tuning.md: $option is not explained"
    # a body of another size looks the same
    [ "$option" = --height ] || echo "${option#--}"
done <controls >pictured
printf '%s\n' quality rigid paint >>pictured
while read -r control; do
    grep -q "](pictures/tuning_$control.png)" "$page" || wrong "tuning.md: $control has no picture"
    grep -q "^ *strip $control " "$SOURCE/scripts/pictures.sh" || wrong "scripts/pictures.sh does not draw $control"
done <pictured

cat "$page" "$SOURCE/docs/gallery.md" | grep -oE '\]\(pictures/[A-Za-z_]+\.png\)' | tr -d '()]' | while read -r picture; do
    [ -s "$SOURCE/docs/$picture" ] || wrong "$picture is not there"
    [ "$(wc -c <"$SOURCE/docs/$picture")" -lt 200000 ] || wrong "$picture is large"
done

# every command on the worm, as it stands
rm -rf work && mkdir -p work/docs/pictures && cd work
cp -r "$SOURCE/docs/examples" docs/examples
"$SINEW" render docs/examples/worm.gltf --at 0 -o probe.png >probe.log 2>&1 && draws=1 || draws=0
grep -E '^    sinew .*docs/examples/' "$page" | while read -r _ command rest; do
    [ "$draws" = 1 ] || [ "$command" = bake ] || continue
    # shellcheck disable=SC2086 # words of a command
    "$SINEW" $command $rest >log 2>&1 || wrong "sinew $command $rest: $(cat log)"
done

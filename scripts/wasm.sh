#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Sinew authors
# SPDX-License-Identifier: Apache-2.0

# The whole core and the scenes for wasm32-wasi, linked as a reactor: the C library alone is enough,
# also where there are no threads. node then calls it. Exit code 77: a tool is missing.
set -u
cd "$(dirname "$0")/.." || exit 1

sysroot=${WASI_SYSROOT:-/usr}
headers=$sysroot/include/wasm32-wasi
for tool in clang-14 wasm-ld-14 node; do
    command -v "$tool" >/dev/null 2>&1 || {
        echo "wasm: SKIP: $tool is missing (make deps-all)"
        exit 77
    }
done
if [ ! -d "$headers" ]; then
    echo 'wasm: SKIP: wasi-libc is missing (make deps-all)'
    exit 77
fi

out=build/wasm
rm -rf $out
mkdir -p $out

# -nostdlibinc: a header that wasi-libc lacks must not be found among the host's
cat >$out/flags <<END
--target=wasm32-wasi -nostdlibinc -isystem $headers -std=c17 -O2 -Werror
-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion
-Wstrict-prototypes -Wmissing-prototypes -Wcast-qual -Wpointer-arith -Wwrite-strings -Wvla -Wundef
-ffp-contract=off -fno-math-errno -fvisibility=hidden -Iinclude
END

compile() { # FILE
    local extra='-I. -Isrc'
    case $1 in
    *_isa.c) extra='-Isrc -DSN_ISA=1 -O3 -fopenmp-simd -Wno-pass-failed' ;; # there are no vectors
    src/*) extra=-Isrc ;;
    esac
    # shellcheck disable=SC2086 # several flags
    clang-14 @$out/flags $extra -c "$1" -o "$out/${1//\//_}.o"
}
export -f compile
export out

find src scenes -name '*.c' ! -path 'src/import/*' | sort | xargs -P "$(nproc)" -I{} bash -c 'compile {}' || {
    echo 'wasm: does not compile' >&2
    exit 1
}

# every object whole, so that no missing symbol hides behind garbage collection
clang-14 --target=wasm32-wasi --sysroot="$sysroot" -mexec-model=reactor -O1 \
    -Wl,--no-gc-sections -Wl,--export-dynamic -Wl,-z,stack-size=1048576 -Wl,--fatal-warnings \
    $out/*.o -o $out/sinew.wasm || {
    echo 'wasm: does not link' >&2
    exit 1
}

version=$(awk '$2 ~ /^SN_VERSION_/ { v = 100 * v + $3 } END { print v }' include/sinew/base.h)
cat >$out/run.mjs <<'END'
import { readFileSync } from 'node:fs';
// Nothing is opened (8 = no such descriptor) and the core asks the system for nothing: a call that does
// says its name.
const system = new Proxy({ fd_prestat_get: () => 8 }, {
    get: (known, name) => known[name] ?? (() => { throw new Error(`called ${name}`); }),
});
const module = await WebAssembly.compile(readFileSync(process.argv[2]));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: system });
instance.exports._initialize();
const version = instance.exports.snVersion();
if (version !== Number(process.argv[3])) {
    console.error(`wasm: snVersion() is ${version}, the header says ${process.argv[3]}`);
    process.exit(1);
}
END
node $out/run.mjs $out/sinew.wasm "$version" || exit 1
echo "wasm: $(find $out -name '*.o' | wc -l) files, sinew.wasm has $(stat -c %s $out/sinew.wasm) bytes"

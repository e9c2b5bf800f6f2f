// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// node gltf_patch_validator.mjs FOLDER PATCHED FILE...: Khronos' validator, installed in FOLDER, on each
// file and on the file of the same name in PATCHED. There it must find as many errors as in the
// original (RobotExpressive has some), and no kind of error or warning that the original lacks. It has
// morph targets then, or, in a folder called joints, more joints.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';

const [folder, patched, ...files] = process.argv.slice(2);
const validator = createRequire(resolve(folder) + '/')('gltf-validator');
let failed = files.length === 0;

async function look(file) {
    const bytes = new Uint8Array(readFileSync(file));
    const { issues, info } = await validator.validateBytes(bytes, { maxIssues: 0 });
    return { issues, info, serious: issues.messages.filter(({ severity }) => severity < 2) };
}

for (const file of files) {
    const before = await look(file), after = await look(`${patched}/${basename(file)}`);
    const known = new Set(before.serious.map(({ code }) => code));
    for (const { code, message, pointer } of after.serious.filter((issue) => !known.has(issue.code))) {
        console.log(`${basename(file)}: ${pointer ?? ''}: ${code}: ${message}`);
        failed = true;
    }
    failed ||= after.issues.numErrors !== before.issues.numErrors ||
        (basename(patched) === 'joints' ? !after.info.hasSkins : !after.info.hasMorphTargets);
    console.log(`${basename(file)}: errors ${before.issues.numErrors} -> ${after.issues.numErrors}, ` +
        `warnings ${before.issues.numWarnings} -> ${after.issues.numWarnings}`);
}
process.exit(failed ? 1 : 0);

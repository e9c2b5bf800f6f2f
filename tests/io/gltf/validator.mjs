// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// node gltf_validator.mjs FOLDER FILE...: Khronos' validator, installed in FOLDER, on each file. Any
// error or warning fails; lesser remarks are printed. Normal maps without tangents, which FBX and Collada seldom
// bring along, are no fault: viewers make them as glTF says.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [folder, ...files] = process.argv.slice(2);
const validator = createRequire(resolve(folder) + '/')('gltf-validator');
let failed = files.length === 0;

// images that a file names stay where they are; a pixel stands in their place
const pixel = Uint8Array.from(Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42' +
    'mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'));

for (const file of files) {
    const bytes = new Uint8Array(readFileSync(file));
    const { issues, info } = await validator.validateBytes(bytes,
        { maxIssues: 50, externalResourceFunction: async () => pixel });
    for (const { severity, code, message, pointer } of issues.messages) {
        const word = ['error', 'warning', 'info', 'hint'][severity];
        console.log(`${file}: ${word}: ${pointer ?? ''}: ${code}: ${message}`);
    }
    console.log(`${file}: ${bytes.length} bytes, ${issues.numErrors} errors, ` +
        `${issues.numWarnings} warnings, ${issues.numInfos} infos, ${issues.numHints} hints, ` +
        `${info.animationCount} animations, ${info.drawCallCount} meshes`);
    const known = issues.messages.filter(({ code }) => code === 'MESH_PRIMITIVE_GENERATED_TANGENT_SPACE').length;
    failed ||= issues.numErrors > 0 || issues.numWarnings > known || !info.generator.startsWith('Sinew ');
}
process.exit(failed ? 1 : 0);

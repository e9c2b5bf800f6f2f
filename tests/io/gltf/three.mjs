// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// node gltf_three.mjs OUT FILE...: where three.js puts every vertex of every mesh, in the nodes' own
// pose and at five times of every clip. Records for tests/io/gltf/data.c. Vertices on more than four
// joints, of which three.js leaves the second set out, are not numbers there.

import { openSync, readFileSync, writeSync } from 'node:fs';
import { basename } from 'node:path';

// what browsers have and node lacks
globalThis.self = globalThis;
globalThis.ProgressEvent = class extends Event {};
const THREE = await import('three');
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');

// The same document without what pictures need, which node cannot load
function withoutLooks(bytes) {
    const binary = bytes.toString('latin1', 0, 4) === 'glTF';
    const size = binary ? bytes.readUInt32LE(12) : bytes.length;
    const json = JSON.parse(bytes.toString('utf8', binary ? 20 : 0, (binary ? 20 : 0) + size));
    for (const list of ['materials', 'textures', 'images', 'samplers', 'extensions', 'extensionsUsed']) {
        delete json[list];
    }
    for (const primitive of json.meshes.flatMap((mesh) => mesh.primitives)) {
        delete primitive.material;
    }
    if (binary) {
        const rest = bytes.subarray(20 + size);
        const chunk = rest.subarray(8, 8 + rest.readUInt32LE(0));
        json.buffers[0].uri = 'data:application/octet-stream;base64,' + chunk.toString('base64');
    }
    return JSON.stringify(json);
}

// Node and primitive of the document that a mesh shows
function placeOf(mesh, associations) {
    const own = associations.get(mesh) ?? {}, parent = associations.get(mesh.parent) ?? {};
    return own.nodes !== undefined ? [own.nodes, own.primitives ?? 0]
        : [parent.nodes, own.primitives ?? mesh.parent.children.indexOf(mesh)];
}

// Keys of unit length. SimpleSkin has them with three digits (0.707), which three.js takes for a scale
// of 0.9998; glTF says that rotations are unit, so we make them so.
function normalise(track) {
    const q = new THREE.Quaternion();
    const cubic = track.createInterpolant.isInterpolantFactoryMethodGLTFCubicSpline;
    const keys = track.ValueTypeName === 'quaternion' && !cubic;
    for (let i = 0; keys && i < track.values.length; i += 4) {
        q.fromArray(track.values, i).normalize().toArray(track.values, i);
    }
}

function record(file, name, clip, time, meshes) {
    const head = Buffer.alloc(64 + 4 + 4 + 8);
    head.write(name, 0, 63);
    head.writeInt32LE(clip, 64);
    head.writeInt32LE(meshes.length, 68);
    head.writeDoubleLE(time, 72);
    writeSync(file, head);
    const x = new THREE.Vector3();
    for (const { mesh, node, primitive } of meshes) {
        const count = mesh.geometry.attributes.position.count;
        const out = Buffer.alloc(12 + 12 * count);
        out.writeInt32LE(node, 0);
        out.writeInt32LE(primitive, 4);
        out.writeInt32LE(count, 8);
        const more = mesh.geometry.attributes.weights_1;
        for (let i = 0; i < count; ++i) {
            mesh.getVertexPosition(i, x).applyMatrix4(mesh.matrixWorld);
            if (more && more.getX(i) > 0) {
                x.setScalar(NaN);
            }
            out.writeFloatLE(x.x, 12 + 12 * i);
            out.writeFloatLE(x.y, 16 + 12 * i);
            out.writeFloatLE(x.z, 20 + 12 * i);
        }
        writeSync(file, out);
    }
}

const [path, ...files] = process.argv.slice(2);
const out = openSync(path, 'w');
for (const file of files) {
    const gltf = await new GLTFLoader().parseAsync(withoutLooks(readFileSync(file)), '');
    const meshes = [];
    gltf.scene.traverse((mesh) => {
        if (mesh.isMesh) {
            const [node, primitive] = placeOf(mesh, gltf.parser.associations);
            meshes.push({ mesh, node, primitive });
        }
    });
    gltf.scene.updateMatrixWorld(true);
    record(out, basename(file), -1, 0, meshes);
    const mixer = new THREE.AnimationMixer(gltf.scene);
    gltf.animations.forEach((clip, number) => {
        clip.tracks.forEach(normalise);
        const action = mixer.clipAction(clip);
        action.play();
        for (const share of [0, 0.13, 0.37, 0.71, 1]) {
            action.time = share * clip.duration;
            mixer.update(0);
            gltf.scene.updateMatrixWorld(true);
            record(out, basename(file), number, action.time, meshes);
        }
        mixer.stopAllAction();
    });
    console.log(`${basename(file)}: ${meshes.length} meshes, ${gltf.animations.length} clips`);
}

// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

// Bullet's deformable bodies as a peer of `sinew bench`. No collisions: none of its shapes takes
// part in any, which is what a user after speed would do, and the fairest to Bullet.
#include "bench/peers/beam.h"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableGravityForce.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btDeformableNeoHookeanForce.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <memory>
#include <new>
#include <vector>

extern "C" __attribute__((visibility("default"))) const snBeamPeer* snBeamPeer_Get(void);

namespace
{

struct Bullet {
    btSoftBodyRigidBodyCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btDeformableBodySolver body_solver;
    btDeformableMultiBodyConstraintSolver solver;
    btDeformableMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration,
                                             &body_solver};
    std::unique_ptr<btDeformableNeoHookeanForce> elastic;
    std::unique_ptr<btDeformableGravityForce> gravity;
    std::unique_ptr<btSoftBody> body;
    btScalar step = 0;

    explicit Bullet(const snBeamModel& m);
    ~Bullet()
    {
        if (body) {
            world.removeSoftBody(body.get());
        }
    }
    Bullet(const Bullet&) = delete;
    Bullet& operator=(const Bullet&) = delete;
};

btScalar real(double x)
{
    return static_cast<btScalar>(x);
}

Bullet::Bullet(const snBeamModel& m)
{
    const btVector3 down(0, real(m.gravity), 0);
    const auto nodes = static_cast<size_t>(m.node_count);
    std::vector<btVector3> x(nodes);
    std::vector<btScalar> mass(nodes);
    for (size_t i = 0; i < nodes; ++i) {
        x[i] = btVector3(real(m.nodes[3 * i]), real(m.nodes[3 * i + 1]), real(m.nodes[3 * i + 2]));
        mass[i] = m.fixed[i] >= 0 ? 0 : real(m.mass[i]); // no mass: held
    }
    step = real(m.step);
    solver.setDeformableSolver(&body_solver);
    world.setImplicit(false); // faster here: an implicit step takes forty times as long
    world.setGravity(down);
    world.getWorldInfo().m_gravity = down;
    body.reset(new btSoftBody(&world.getWorldInfo(), m.node_count, x.data(), mass.data()));
    for (int32_t i = 0; i < m.tet_count; ++i) {
        const int32_t* t = m.tets + 4 * static_cast<size_t>(i);
        body->appendTetra(t[0], t[1], t[2], t[3]);
    }
    body->initializeDmInverse();
    static const btSoftBody::TetraScratch EMPTY{}; // its own constructor leaves it undefined
    body->m_tetraScratches.resize(body->m_tetras.size(), EMPTY);
    body->m_tetraScratchesTn.resize(body->m_tetras.size(), EMPTY);
    body->m_cfg.collisions = 0;
    body->m_useSelfCollision = false;
    body->m_sleepingThreshold = 0;
    body->setActivationState(DISABLE_DEACTIVATION);
    world.addSoftBody(body.get());
    // Smith's constants, of which small strain has mu and lambda
    elastic.reset(
        new btDeformableNeoHookeanForce(real(4.0 / 3 * m.mu), real(m.lambda + 5.0 / 6 * m.mu), 0));
    gravity.reset(new btDeformableGravityForce(down));
    world.addForce(body.get(), elastic.get());
    world.addForce(body.get(), gravity.get());
}

void* openBullet(const snBeamModel* model)
{
    return new (std::nothrow) Bullet(*model);
}

void runBullet(void* peer, int steps)
{
    auto* p = static_cast<Bullet*>(peer);
    for (int i = 0; i < steps; ++i) {
        p->world.stepSimulation(p->step, 0);
    }
}

double heightOf(const void* peer, int32_t node)
{
    return static_cast<double>(static_cast<const Bullet*>(peer)->body->m_nodes[node].m_x.y());
}

void closeBullet(void* peer)
{
    delete static_cast<Bullet*>(peer);
}

} // namespace

const snBeamPeer* snBeamPeer_Get(void)
{
    static const snBeamPeer PEER = {"Bullet", "3.24", openBullet, runBullet, heightOf, closeBullet};
    return &PEER;
}

//! Coordinators and workers on NATS servers: runs complete with one result for every job, in spite
//! of faults, forged messages and misbehaving workers.

mod connecting;
mod forged_messages;
mod histories;
mod misbehaving_workers;
mod residuals;
mod several_workers;
mod speed;
mod squares;
mod support;

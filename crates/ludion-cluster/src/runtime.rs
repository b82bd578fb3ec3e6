//! Async runtime of the connections. The public API of this crate blocks and runs its futures in
//! this runtime, which may be dropped inside another async runtime.

use std::future::Future;

use ludion_core::threads;
use tokio::runtime::{Builder, Runtime};

use crate::ClusterError;

/// Number of threads for connections.
const THREADS: usize = 2;

/// Tokio runtime with two threads for connections, or one if the system starts no more.
pub(crate) struct AsyncRuntime(Option<Runtime>);

impl AsyncRuntime {
    pub(crate) fn start() -> Result<Self, ClusterError> {
        let failed = |why: String| {
            ClusterError::Local(format!("the threads of the connection do not start: {why}"))
        };
        // Tokio panics if it cannot start its threads. It needs one more to look up names.
        let threads = match threads::startable(THREADS + 1) {
            0 | 1 => return Err(failed("the system allows no more".to_owned())),
            startable => startable - 1,
        };
        let runtime = Builder::new_multi_thread().worker_threads(threads).enable_all().build();
        let runtime = runtime.map_err(|error| failed(error.to_string()))?;
        Ok(AsyncRuntime(Some(runtime)))
    }

    fn runtime(&self) -> &Runtime {
        self.0.as_ref().expect("the runtime exists until it is dropped")
    }

    pub(crate) fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.runtime().block_on(future)
    }

    pub(crate) fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        self.runtime().spawn(future);
    }
}

impl Drop for AsyncRuntime {
    fn drop(&mut self) {
        // Tokio panics if a runtime waits for its threads inside another runtime.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

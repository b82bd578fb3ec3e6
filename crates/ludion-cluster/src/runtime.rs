//! Async runtime of the connections. The public API of this crate blocks and runs its futures in
//! this runtime, which may be dropped inside another async runtime.

use std::future::Future;

use tokio::runtime::{Builder, Runtime};

use crate::ClusterError;

/// Tokio runtime with two threads for connections.
pub(crate) struct AsyncRuntime(Option<Runtime>);

impl AsyncRuntime {
    pub(crate) fn start() -> Result<Self, ClusterError> {
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|error| {
            ClusterError::Local(format!("the threads of the connection do not start: {error}"))
        })?;
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

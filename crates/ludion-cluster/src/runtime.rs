//! The threads that connections live on. From outside everything blocks, so that a cluster is used
//! as threads are; a program that is itself asynchronous may drop one anywhere.

use std::future::Future;

use tokio::runtime::{Builder, Runtime};

use crate::ClusterError;

/// Threads for connections.
pub(crate) struct AsyncRuntime(Option<Runtime>);

impl AsyncRuntime {
    pub(crate) fn start() -> Result<Self, ClusterError> {
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|error| {
            ClusterError::File(format!("no threads for the connection: {error}"))
        })?;
        Ok(AsyncRuntime(Some(runtime)))
    }

    fn runtime(&self) -> &Runtime {
        self.0.as_ref().expect("it is there until it is dropped")
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
        // Waiting for its threads is not allowed among those of another one.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

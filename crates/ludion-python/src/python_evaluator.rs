//! Evaluators that are written in Python: `eval=python(NAME)` evaluates leaves of a search in batches.
//!
//! The function gets the planes of all states of a batch as one array and returns their values and
//! policies. An exception stops the search; the call that began the search raises it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use ludion::encoding::EncodingShape;
use ludion::param::{Args, Param, ParamError};
use ludion::policy::{EncodedBatch, PolicyEvaluator, PolicyOutputs};
use ludion::registry::{Registry, SharedEvaluator};
use numpy::{
    AllowTypeChange, PyArray4, PyArrayLike1, PyArrayLike2, PyArrayMethods, PyUntypedArrayMethods,
};
use pyo3::prelude::*;

use crate::errors::{need_numpy, wrong};
use crate::interrupt::{NamedCode, PythonCode};
use crate::python_player::missing;

/// The evaluators by name.
static EVALUATORS: LazyLock<Mutex<HashMap<String, NamedCode>>> = LazyLock::new(Mutex::default);

fn evaluators() -> MutexGuard<'static, HashMap<String, NamedCode>> {
    EVALUATORS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps an evaluator under a name; it replaces an evaluator of the same name.
pub(crate) fn add(name: String, evaluate: Py<PyAny>) {
    let code = PythonCode::new(&name);
    evaluators().insert(name, (evaluate, code));
}

/// Adds the evaluator `python(NAME)` to every game for two sides.
pub(crate) fn register(registry: Registry) -> Registry {
    registry.with_evaluator_for_all(SharedEvaluator {
        name: "python".into(),
        help: "an evaluator that is written in Python".into(),
        params: vec![Param::text("name", "", "the name that ludion.add_evaluator got")].into(),
        build: Arc::new(build),
    })
}

fn build(args: &Args, shape: &EncodingShape) -> Result<Arc<dyn PolicyEvaluator>, ParamError> {
    let name = args.text("name");
    let known = Python::attach(|py| {
        evaluators().get(name).map(|(evaluate, code)| (evaluate.clone_ref(py), Arc::clone(code)))
    });
    let (evaluate, code) =
        known.ok_or_else(|| missing(args, "an evaluator", name, evaluators().keys().collect()))?;
    let has_failed = AtomicBool::new(false);
    Ok(Arc::new(PythonEvaluator { evaluate, code, has_failed, shape: *shape }))
}

struct PythonEvaluator {
    evaluate: Py<PyAny>,
    code: Arc<PythonCode>,
    /// Set after an exception in the laboratory, which makes players anew for every request.
    has_failed: AtomicBool,
    shape: EncodingShape,
}

impl PythonEvaluator {
    /// Calls the Python function for a batch, and appends its answer to `out`.
    fn ask(&self, py: Python<'_>, batch: &EncodedBatch, out: &mut PolicyOutputs) -> PyResult<()> {
        need_numpy(py)?;
        let shape = &self.shape;
        let size = [batch.len(), shape.planes + shape.extras, shape.rows, shape.cols];
        let planes = PyArray4::<f32>::zeros(py, size, false);
        {
            let mut entries = planes.readwrite();
            let one = size[1] * size[2] * size[3];
            for (i, planes) in entries.as_slice_mut()?.chunks_exact_mut(one.max(1)).enumerate() {
                shape.write_planes(batch.features(i), planes);
            }
        }
        let answer = self.evaluate.call1(py, (planes,))?;
        let answer = answer.bind(py).try_iter().and_then(Iterator::collect::<PyResult<Vec<_>>>);
        let Ok([values, policies]) =
            answer.map_err(drop).and_then(|pair| <[_; 2]>::try_from(pair).map_err(drop))
        else {
            return Err(wrong("an evaluator returns a pair of values and policies"));
        };
        let values: PyArrayLike1<'_, f32, AllowTypeChange> = flat(&values)?.extract()?;
        let policies: PyArrayLike2<'_, f32, AllowTypeChange> = policies.extract()?;
        if values.len() != batch.len() || policies.shape() != [batch.len(), shape.actions] {
            let (n, given) = (batch.len(), policies.shape().to_vec());
            return Err(wrong(format!(
                "an evaluator of {n} states returned {} values and policies of shape {given:?}; \
                 it must return {n} values and policies of shape {:?}",
                values.len(),
                [n, shape.actions]
            )));
        }
        let (values, policies) = (values.as_array(), policies.as_array());
        for i in 0..batch.len() {
            let value = values[i];
            let weights = batch.actions(i).iter().map(|&action| policies[[i, action as usize]]);
            let first = out.priors.len();
            out.priors.extend(weights);
            let priors = &mut out.priors[first..];
            let sum: f32 = priors.iter().sum();
            if !value.is_finite() || !sum.is_finite() || priors.iter().any(|&weight| weight < 0.0) {
                return Err(wrong(format!(
                    "an evaluator returned for state {i} the value {value} and a policy with the sum \
                     {sum}; values and policies must be finite, and policies not negative"
                )));
            }
            let even = 1.0 / priors.len().max(1) as f32;
            priors.iter_mut().for_each(|p| *p = if sum > 0.0 { *p / sum } else { even });
            out.values.push(value.clamp(-1.0, 1.0));
        }
        Ok(())
    }
}

/// Returns an array with all its entries in one dimension.
fn flat<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    match array.getattr("reshape") {
        Ok(reshape) => reshape.call1((-1,)),
        Err(_) => Ok(array.clone()),
    }
}

impl PolicyEvaluator for PythonEvaluator {
    fn evaluate(&self, batch: &EncodedBatch, out: &mut PolicyOutputs) {
        // The leaves of a wave may all be proven.
        if batch.is_empty() {
            return;
        }
        let (values, priors) = (out.values.len(), out.priors.len());
        if !self.code.has_failed() && !self.has_failed.load(Ordering::Relaxed) {
            match self.code.call(|py| self.ask(py, batch, out)) {
                Ok(()) => return,
                Err(error) => {
                    let is_kept = self.code.keep_failure(error);
                    self.has_failed.store(!is_kept, Ordering::Relaxed);
                }
            }
        }
        // The search is being stopped; until then all moves look alike.
        out.values.truncate(values);
        out.priors.truncate(priors);
        for i in 0..batch.len() {
            let count = batch.actions(i).len();
            out.values.push(0.0);
            out.priors.extend(std::iter::repeat_n(1.0 / count.max(1) as f32, count));
        }
    }
}

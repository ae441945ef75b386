// Makes the test runner find the test that runs by an `AsyncLocalStorage`. By itself it follows every promise from its
// creation to its collection, with a hook of `node:async_hooks`, which costs processor time and memory with each of
// them. Imported before `node:test`, which takes these functions when it is loaded. A runner that does not call them
// works as ever.
import hooks from 'node:async_hooks';

const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = hooks;
const { runInAsyncScope } = AsyncResource.prototype;
const running = new AsyncLocalStorage();
/** What the runner's hook does for a new resource: it keeps tests by their ids. */
let remember;

hooks.createHook = (callbacks) => {
  hooks.createHook = createHook;
  hooks.executionAsyncId = executionAsyncId;
  remember = callbacks.init;
  return { enable() {}, disable() {} };
};
hooks.executionAsyncId = () => running.getStore() ?? executionAsyncId();

/** Tests are resources: their functions and hooks run in their scope. */
AsyncResource.prototype.runInAsyncScope = function (run, thisArg, ...args) {
  if (!remember || !('subtests' in this)) return runInAsyncScope.call(this, run, thisArg, ...args);
  const id = this.asyncId();
  remember(id, 'Test', 0, this);
  return runInAsyncScope.call(this, () => running.run(id, () => run.apply(thisArg, args)));
};

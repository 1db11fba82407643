import { fork } from "node:child_process";
import { once } from "node:events";

/** A process whose CPU is counted separately from the load generator's. */
export interface Child {
  /** Calls a handler of the child. */
  call<Reply>(name: string, input?: unknown): Promise<Reply>;
  /** CPU of all its threads so far, in microseconds. */
  cpuMicroseconds(): Promise<number>;
  residentMegabytes(): Promise<number>;
  /** Stops it, and resolves when it has exited. */
  stop(): Promise<void>;
}

/** Messages between parent and child. */
export interface Question {
  id: number;
  name: string;
  input: unknown;
}

export interface Reply {
  id: number;
  result?: unknown;
  error?: string;
}

type Pending = PromiseWithResolvers<unknown>;

/** A module of `children/`, and environment variables that differ from those of this process. */
export interface ChildModule {
  module: URL;
  environment?: Readonly<Record<string, string>>;
}

/** Starts a process, which exits with this one. */
export const startChild = ({ module, environment }: ChildModule): Child => {
  const child = fork(module, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const pending = new Map<number, Pending>();
  let lastId = 0;
  child.on("message", (message) => {
    const { id, result, error } = message as Reply;
    const deferred = pending.get(id);
    pending.delete(id);
    if (error === undefined) deferred?.resolve(result);
    else deferred?.reject(new Error(error));
  });
  child.on("exit", (code, signal) => {
    for (const { reject } of pending.values())
      reject(new Error(`${module.pathname} ended (${signal ?? code})`));
    pending.clear();
  });
  const call = async <Result>(name: string, input?: unknown): Promise<Result> => {
    const deferred = Promise.withResolvers<unknown>();
    const id = ++lastId;
    pending.set(id, deferred);
    child.send({ id, name, input } satisfies Question);
    return (await deferred.promise) as Result; // returned by the handler of that name
  };
  return {
    call,
    cpuMicroseconds: () => call<number>("cpuMicroseconds"),
    residentMegabytes: () => call<number>("residentMegabytes"),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      await call("stop");
      child.disconnect();
      await ended;
    },
  };
};

import { ApiError } from "./api-error.ts";

type RequiredProof = NonNullable<ApiError["requires"]>;

/** A request to prove again who the user is. */
export interface StepUpRequest {
  readonly requires: RequiredProof;
  /** Called with whether the user gave the proof. */
  readonly settle: (isProven: boolean) => void;
}

/** After a second factor an operation may require a new sign-in, too, and nothing else. */
const requestsMax = 2;

let request: (StepUpRequest & { readonly outcome: Promise<boolean> }) | undefined;
const listeners = new Set<() => void>();

const change = (next: typeof request): void => {
  request = next;
  for (const listener of listeners) listener();
};

/** The present request, for the dialog that answers it. */
export const stepUpRequest = {
  read: (): StepUpRequest | undefined => request,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      // Without a dialog nothing would ever answer it.
      if (listeners.size === 0) request?.settle(false);
    };
  },
};

const proofs = "latchkey.proof";

/** Tells the pages of this browser that wait for a proof that the user has given it in this one. */
export const reportProof = (): void => {
  const channel = new BroadcastChannel(proofs);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches only its own origin
  channel.postMessage("given");
  channel.close();
};

/** Calls a function when the user gives a proof in another window. Returns how to stop that. */
export const onProof = (act: () => void): (() => void) => {
  const channel = new BroadcastChannel(proofs);
  channel.addEventListener("message", act);
  return () => channel.close();
};

const open = (requires: RequiredProof): Promise<boolean> => {
  const { promise, resolve: settle } = Promise.withResolvers<boolean>();
  const outcome = promise.finally(() => change(undefined));
  change({ requires, settle, outcome });
  return outcome;
};

/** Asks the user for a proof, once for all calls that wait. Returns false if they cancel, or if no dialog can ask now. */
const requestProof = (requires: RequiredProof): Promise<boolean> => {
  if (listeners.size === 0) return Promise.resolve(false);
  return request?.outcome ?? open(requires);
};

const requiredProof = (error: unknown): RequiredProof | undefined =>
  error instanceof ApiError ? error.requires : undefined;

/** Whether an error means that the user did not give a proof that was required. */
export const isUnproven = (error: unknown): boolean => requiredProof(error) !== undefined;

/**
 * Runs a call, and repeats it once the user has given the proof that it requires. Throws the refusal if they do not give it. Do not use it
 * for a call that gives the proof: it would wait for itself.
 */
export const withProof = async <T>(run: () => Promise<T>): Promise<T> => {
  for (let requests = 0; ; requests += 1)
    try {
      return await run();
    } catch (error) {
      const requires = requiredProof(error);
      if (requires === undefined || requests === requestsMax) throw error;
      if (!(await requestProof(requires))) throw error;
    }
};

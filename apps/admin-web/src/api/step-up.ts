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

let request: StepUpRequest | undefined;
const listeners = new Set<() => void>();

const change = (next: StepUpRequest | undefined): void => {
  request = next;
  for (const listener of listeners) listener();
};

/** The present request, for the dialog that answers it. */
export const stepUpRequest = {
  read: () => request,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};

/** Asks the user for a proof. Returns false if they cancel, or if no dialog can ask now. */
const askForProof = async (requires: RequiredProof): Promise<boolean> => {
  if (listeners.size === 0 || request !== undefined) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  change({ requires, settle: resolve });
  try {
    return await promise;
  } finally {
    change(undefined);
  }
};

/** Runs a call, and repeats it once the user has given the proof that it requires. Throws the refusal if they do not give it. */
export const withProof = async <T>(run: () => Promise<T>): Promise<T> => {
  for (let requests = 0; ; requests += 1)
    try {
      return await run();
    } catch (error) {
      const requires = error instanceof ApiError ? error.requires : undefined;
      if (requires === undefined || requests === requestsMax) throw error;
      if (!(await askForProof(requires))) throw error;
    }
};

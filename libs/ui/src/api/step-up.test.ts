import { expect, test, vi } from "vitest";
import { ApiError } from "./api-error.ts";
import { stepUpRequest, withProof } from "./step-up.ts";

const refusal = (requires: "sign-in" | "second-factor") =>
  new ApiError({ status: 403, body: { code: "SESSION_IS_NOT_FRESH", details: { requires } } });

/** Answers every request as the dialog does. Returns what was asked for, and how to stop. */
const answerAll = (isProven: boolean) => {
  const proofs: string[] = [];
  const stop = stepUpRequest.subscribe(() => {
    const request = stepUpRequest.read();
    if (!request) return;
    proofs.push(request.requires);
    request.settle(isProven);
  });
  return { proofs, stop };
};

test("repeats a refused call after each proof that it requires", async () => {
  const { proofs, stop } = answerAll(true);
  const run = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(refusal("second-factor"))
    .mockRejectedValueOnce(refusal("sign-in"))
    .mockResolvedValue("done");
  expect(await withProof(run)).toBe("done");
  expect(proofs).toEqual(["second-factor", "sign-in"]);
  stop();
});

test("gives up if the call is refused for ever", async () => {
  const { proofs, stop } = answerAll(true);
  await expect(withProof(() => Promise.reject(refusal("sign-in")))).rejects.toThrow(ApiError);
  expect(proofs).toHaveLength(2);
  stop();
});

test("throws the refusal if the user cancels, or no dialog can ask", async () => {
  const { stop } = answerAll(false);
  const run = vi.fn<() => Promise<string>>().mockRejectedValue(refusal("sign-in"));
  await expect(withProof(run)).rejects.toThrow(ApiError);
  stop();
  await expect(withProof(run)).rejects.toThrow(ApiError);
  expect(run).toHaveBeenCalledTimes(2);
  expect(stepUpRequest.read()).toBeUndefined();
});

test("does not ask after other refusals", async () => {
  const { proofs, stop } = answerAll(true);
  const run = () => Promise.reject(new ApiError({ status: 403 }));
  await expect(withProof(run)).rejects.toThrow(ApiError);
  expect(proofs).toEqual([]);
  stop();
});

test("asks once for calls that are refused at the same time, and repeats them all", async () => {
  const proofs: string[] = [];
  const stop = stepUpRequest.subscribe(() => {
    const request = stepUpRequest.read();
    if (request) proofs.push(request.requires);
  });
  const runs = Array.from({ length: 16 }, (_, index) =>
    vi
      .fn<() => Promise<number>>()
      .mockRejectedValueOnce(refusal("second-factor"))
      .mockResolvedValue(index),
  );
  const done = Promise.all(runs.map((run) => withProof(run)));
  await vi.waitFor(() => expect(stepUpRequest.read()).toBeDefined());
  stepUpRequest.read()?.settle(true);
  expect(await done).toEqual(runs.map((_, index) => index));
  expect(proofs).toEqual(["second-factor"]);
  stop();
});

test("throws the refusal if the dialog closes without an answer", async () => {
  const stop = stepUpRequest.subscribe(() => {});
  const done = withProof(() => Promise.reject(refusal("sign-in")));
  await vi.waitFor(() => expect(stepUpRequest.read()).toBeDefined());
  stop();
  await expect(done).rejects.toThrow(ApiError);
  expect(stepUpRequest.read()).toBeUndefined();
});

import type { CaptchaConfig } from "./captcha-request.ts";

export type CaptchaVerdict = "passed" | "failed" | "secret refused";

/** The error codes of all providers for an invalid secret. */
const secretRefusals = new Set<unknown>(["missing-input-secret", "invalid-input-secret"]);

const unexpected = (member: string) =>
  new Error(`the captcha provider answers without a readable ${member}`);

/**
 * Reads the verdict of a provider. Only reCAPTCHA's score rises with trust, so only that is checked; a response without a score passes.
 * Throws if the response cannot be read, so that nobody passes by mistake.
 */
export const captchaVerdict = (
  { provider, minScore }: Pick<CaptchaConfig, "provider" | "minScore">,
  answer: unknown,
): CaptchaVerdict => {
  const { success, score, "error-codes": codes } = Object(answer) as Record<string, unknown>;
  if (typeof success !== "boolean") throw unexpected("success");
  if (!success) {
    const isSecretRefused = Array.isArray(codes) && codes.some((code) => secretRefusals.has(code));
    return isSecretRefused ? "secret refused" : "failed";
  }
  if (provider !== "google-recaptcha" || score === undefined) return "passed";
  if (typeof score !== "number") throw unexpected("score");
  return score >= minScore ? "passed" : "failed";
};

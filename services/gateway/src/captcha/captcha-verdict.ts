import type { CaptchaConfig } from "./captcha-request.ts";

export type CaptchaVerdict = "passed" | "failed" | "secret refused";

/** The words of all providers for a secret that is not theirs. */
const secretRefusals = new Set<unknown>(["missing-input-secret", "invalid-input-secret"]);

const unexpected = (member: string) =>
  new Error(`the captcha provider answers without a readable ${member}`);

/**
 * What a provider's answer says. Only reCAPTCHA gives a score that rises with trust, so only there it counts, and an
 * answer without one passes. Throws where the answer cannot be read, which must let nobody in.
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

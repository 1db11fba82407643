import { decodeBase32, totpCode, totpStep } from "@latchkey/crypto";

/** An authenticator app. Each time step has one code. */
export interface AuthenticatorApp {
  /** Returns the code of a step relative to the present one. */
  codeAt(offset: number): string;
  /** Returns different codes that are certainly wrong for the next minutes. */
  wrongCodes(count: number): string[];
  backupCodes: readonly string[];
}

/** The steps around the present one whose codes may become valid while a check runs. */
const nearSteps = 10;

/** Returns the app that has read a URI. */
export const readApp = (totpURI: string, backupCodes: readonly string[]): AuthenticatorApp => {
  const { searchParams } = new URL(totpURI);
  const secret = decodeBase32(searchParams.get("secret") ?? "");
  if (!secret) throw new Error("the URI of an authenticator app has no secret");
  const digits = Number(searchParams.get("digits") ?? "6");
  const period = Number(searchParams.get("period") ?? "30");
  const codeAt = (offset: number) =>
    totpCode(secret, totpStep(Date.now(), { period }) + offset, { digits });
  return {
    codeAt,
    backupCodes,
    wrongCodes: (count) => {
      const right = new Set(
        Array.from({ length: 2 * nearSteps + 1 }, (_, index) => codeAt(index - nearSteps)),
      );
      return Array.from({ length: count + right.size }, (_, code) =>
        String(code).padStart(digits, "0"),
      )
        .filter((code) => !right.has(code))
        .slice(0, count);
    },
  };
};

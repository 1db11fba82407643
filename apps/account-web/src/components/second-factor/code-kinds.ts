import { operations } from "@latchkey/ui/api/contracts.ts";

const { verifyTotp, verifyTwoFactorCode, verifyBackupCode } = operations.identity;

/** The codes that pass a second factor, and how each is verified. */
export const codeKinds = {
  app: verifyTotp,
  mail: verifyTwoFactorCode,
  backup: verifyBackupCode,
} as const;

export type CodeKind = keyof typeof codeKinds;

export type FactorMethod = "totp" | "otp";

/** Returns the kinds of codes that a user may enter. Recovery codes work for every user who has some. */
export const kindsOf = (methods: readonly FactorMethod[]): readonly CodeKind[] => [
  ...(methods.includes("totp") ? (["app"] as const) : []),
  ...(methods.includes("otp") ? (["mail"] as const) : []),
  "backup",
];

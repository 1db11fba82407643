import { operations } from "@latchkey/ui/api/contracts.ts";

const { verifyTotp, verifyTwoFactorCode, verifyBackupCode } = operations.identity;

/** The codes that pass a second factor: how each is called, entered and verified. */
export const codeKinds = {
  app: {
    operation: verifyTotp,
    label: "Authenticator code",
    missing: "Enter the code from your authenticator app.",
    use: "Use authenticator app",
    isNumeric: true,
  },
  mail: {
    operation: verifyTwoFactorCode,
    label: "Email code",
    missing: "Enter the code from the email.",
    use: "Use an email code",
    isNumeric: true,
  },
  backup: {
    operation: verifyBackupCode,
    label: "Backup code",
    missing: "Enter one of your backup codes.",
    use: "Use a backup code",
    isNumeric: false,
  },
} as const;

export type CodeKind = keyof typeof codeKinds;

/** Returns the kinds of codes that a user may enter. Backup codes work for every user who has some. */
export const kindsOf = (methods: readonly ("totp" | "otp")[]): readonly CodeKind[] => [
  ...(methods.includes("totp") ? (["app"] as const) : []),
  ...(methods.includes("otp") ? (["mail"] as const) : []),
  "backup",
];

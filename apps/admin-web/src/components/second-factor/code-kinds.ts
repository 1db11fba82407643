import { operations } from "../../api/contracts.ts";

const { verifyTotp, verifyTwoFactorCode, verifyBackupCode } = operations.identity;

/** The codes that pass a second factor: how each is called, entered and verified. */
export const codeKinds = {
  app: {
    operation: verifyTotp,
    label: "Code of your authenticator app",
    missing: "Enter the code that your app shows.",
    use: "Use the authenticator app",
    isNumeric: true,
  },
  mail: {
    operation: verifyTwoFactorCode,
    label: "Code of the email",
    missing: "Enter the code of the email.",
    use: "Use a code by email",
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

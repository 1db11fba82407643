/** The acknowledged changes, and those that may have happened because an answer was lost. */
export interface Ledger {
  /** Addresses of users whose sign-up was acknowledged. */
  users: Set<string>;
  sessions: Session[];
  /** Owners by slug. */
  organizations: Map<string, string>;
  invitations: Invitation[];
  keys: Key[];
  /** Backup codes that were entered twice at once. */
  backupCodes: BackupCode[];
  /** Number of mails that must arrive, by recipient and start of the subject. */
  mails: Map<string, number>;
  /** Events that must never happen, and did. */
  violations: string[];
}

export interface Session {
  token: string;
  userId: string;
  /** `uncertain`: its end was requested and not acknowledged. */
  state: "live" | "ended" | "uncertain";
}

export interface Invitation {
  id: string;
  organizationId: string;
  userId: string;
  /** Number of concurrent acceptances that were acknowledged. */
  acceptedCount: number;
  uncertainCount: number;
}

export interface Key {
  id: string;
  key: string;
  usesMax: number;
  validCount: number;
  uncertainCount: number;
}

export interface BackupCode {
  userId: string;
  /** Number of codes before. */
  amount: number;
  /** Number of concurrent uses that were acknowledged. */
  acceptedCount: number;
  uncertainCount: number;
}

export const createLedger = (): Ledger => ({
  users: new Set(),
  sessions: [],
  organizations: new Map(),
  invitations: [],
  keys: [],
  backupCodes: [],
  mails: new Map(),
  violations: [],
});

export const owe = ({ mails }: Ledger, recipient: string, subject: string): void => {
  const name = `${recipient} ${subject}`;
  mails.set(name, (mails.get(name) ?? 0) + 1);
};

/** What was acknowledged, and what may or may not have happened because an answer never came. */
export interface Ledger {
  /** Addresses of users who were told that they exist. */
  users: Set<string>;
  sessions: Session[];
  /** Slugs, and who owns them. */
  organizations: Map<string, string>;
  invitations: Invitation[];
  keys: Key[];
  /** How many mails somebody is owed, by recipient and the start of the subject. */
  mails: Map<string, number>;
  /** What must never happen, and did. */
  violations: string[];
}

export interface Session {
  token: string;
  userId: string;
  /** `uncertain`: its end was asked for, and not acknowledged. */
  state: "live" | "ended" | "uncertain";
}

export interface Invitation {
  id: string;
  organizationId: string;
  userId: string;
  /** How many of those who accepted it at once were told that they are in. */
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

export const createLedger = (): Ledger => ({
  users: new Set(),
  sessions: [],
  organizations: new Map(),
  invitations: [],
  keys: [],
  mails: new Map(),
  violations: [],
});

export const owe = ({ mails }: Ledger, recipient: string, subject: string): void => {
  const name = `${recipient} ${subject}`;
  mails.set(name, (mails.get(name) ?? 0) + 1);
};

/** A user. Times are ISO 8601 text in UTC. Members of a feature are absent if it is off. */
export interface User {
  id: string;
  name: string;
  email: string;
  /** Whether the user has proven that the address is theirs. */
  emailVerified: boolean;
  /** The address of a picture. */
  image: string | null;
  createdAt: string;
  updatedAt: string;
  username?: string | null | undefined;
  displayUsername?: string | null | undefined;
  /** In E.164, such as `+491701234567`. */
  phoneNumber?: string | null | undefined;
  phoneNumberVerified?: boolean | undefined;
  twoFactorEnabled?: boolean | undefined;
  /** Whether the user is a guest. */
  isAnonymous?: boolean | undefined;
  /** The roles in this installation, separated by commas. */
  role?: string | null | undefined;
  banned?: boolean | null | undefined;
  banReason?: string | null | undefined;
  banExpires?: string | null | undefined;
}

/** A session. Times are ISO 8601 text in UTC. An unknown address or user agent is an empty text. */
export interface Session {
  id: string;
  /** Grants the session to everyone who has it. Do not log it. */
  token: string;
  userId: string;
  expiresAt: string;
  createdAt: string;
  updatedAt: string;
  ipAddress: string;
  userAgent: string;
  /** The id of the admin who impersonates the user in this session. */
  impersonatedBy?: string | null | undefined;
  /** The active organization of the session. */
  activeOrganizationId?: string | null | undefined;
  activeTeamId?: string | null | undefined;
}

/** A user and the session in this browser. */
export interface SignedInSession {
  user: User;
  session: Session;
}

/** The state of the session in this browser. */
export type SessionState =
  /** The first answer of Latchkey is pending. */
  | { status: "loading"; user: null; session: null; error: null }
  /** `error` is set if the last refresh failed. The user is still signed in as far as is known. */
  | ({ status: "signed-in"; error: Error | null } & SignedInSession)
  | { status: "signed-out"; user: null; session: null; error: null }
  /** It is unknown whether the user is signed in, because Latchkey gave no answer. */
  | { status: "error"; user: null; session: null; error: Error };

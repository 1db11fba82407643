import type { TokenClaims, TokenRefusal } from "../tokens/token-claims.ts";

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
  /** Grants the session to everyone who has it. Do not log it and do not send it to the browser. */
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

/** The types of the additional fields that the installation configures. */
export interface AdditionalFields {
  user?: object;
  session?: object;
}

type FieldsOf<
  Fields extends AdditionalFields,
  Name extends keyof AdditionalFields,
> = Fields[Name] extends object ? Fields[Name] : unknown;

interface Answered {
  /** The `Set-Cookie` lines for the browser. Empty unless its session was extended or has ended. */
  setCookies: readonly string[];
}

/** Latchkey has confirmed the session just now, or its cached session. */
export interface LiveSession<Fields extends AdditionalFields = AdditionalFields> extends Answered {
  isSignedIn: true;
  source: "session";
  userId: string;
  user: User & FieldsOf<Fields, "user">;
  session: Session & FieldsOf<Fields, "session">;
  claims: null;
}

/** A signed token was verified without a request. Its user may have been banned since it was signed. */
export interface TokenSession extends Answered {
  isSignedIn: true;
  source: "token";
  /** The claim `sub`. */
  userId: string;
  user: null;
  session: null;
  claims: TokenClaims;
}

/** The request has no session and no valid token. */
export interface SignedOut extends Answered {
  isSignedIn: false;
  /** Why the signed token of the request was refused. Null if it has none. */
  refusal: TokenRefusal | "not-live" | null;
  source: null;
  userId: null;
  user: null;
  session: null;
  claims: null;
}

/** The sender of a request, as far as it is known. */
export type SessionResult<Fields extends AdditionalFields = AdditionalFields> =
  | LiveSession<Fields>
  | TokenSession
  | SignedOut;

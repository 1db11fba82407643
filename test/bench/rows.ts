import type { Row } from "./harness/row.ts";
import { adminLists } from "./rows/admin-lists.ts";
import { accountWebSignIn } from "./rows/account-web-sign-in.ts";
import { adminWebFirstVisit } from "./rows/admin-web-first-visit.ts";
import { peerPostgres, peerRedis } from "./rows/beside-peer.ts";
import { enumeration } from "./rows/enumeration.ts";
import { getSessionCached } from "./rows/get-session-cached.ts";
import { getSessionDuringSignIns } from "./rows/get-session-during-sign-ins.ts";
import { getSessionPostgres } from "./rows/get-session-postgres.ts";
import { getSessionRedis } from "./rows/get-session-redis.ts";
import { getSessionSignInFeatures } from "./rows/get-session-sign-in-features.ts";
import { getSessionWithoutCache } from "./rows/get-session-without-cache.ts";
import { jwks } from "./rows/jwks.ts";
import { listUsers } from "./rows/list-users.ts";
import { memory } from "./rows/memory.ts";
import { mixedLoad } from "./rows/mixed-load.ts";
import { npmStart } from "./rows/npm-start.ts";
import { operationsPostgres, operationsRedis } from "./rows/operations.ts";
import { organizationMembers } from "./rows/organization-members.ts";
import { organizations } from "./rows/organizations.ts";
import { passkeySignIn } from "./rows/passkey-sign-in.ts";
import { scaling } from "./rows/scaling.ts";
import { signInEmail } from "./rows/sign-in-email.ts";
import { token } from "./rows/token.ts";
import { totpSignIn } from "./rows/totp-sign-in.ts";
import { verifyApiKey } from "./rows/verify-api-key.ts";
import { verifyHotKey } from "./rows/verify-hot-key.ts";
import { verifySizes } from "./rows/verify-sizes.ts";
import { webhooks } from "./rows/webhooks.ts";

/** The measurements of `npm run bench`, in this order: rows that use the same million rows are adjacent. */
export const rows: readonly Row[] = [
  getSessionPostgres,
  getSessionRedis,
  getSessionCached,
  getSessionWithoutCache,
  getSessionSignInFeatures,
  operationsPostgres,
  operationsRedis,
  token,
  jwks,
  signInEmail,
  passkeySignIn,
  totpSignIn,
  getSessionDuringSignIns,
  enumeration,
  mixedLoad,
  memory,
  scaling,
  verifyApiKey,
  verifyHotKey,
  listUsers,
  organizationMembers,
  organizations,
  adminLists,
  verifySizes,
  npmStart,
  adminWebFirstVisit,
  accountWebSignIn,
  webhooks,
];

/** The measurements of `npm run bench -- --peer`, beside another product. */
export const peerRows: readonly Row[] = [peerPostgres, peerRedis];

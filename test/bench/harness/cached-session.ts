import { emailOf, tokenOf } from "./seed.ts";
import { seededId, seededName } from "./seeded-id.ts";

export const hourMilliseconds = 3_600_000;

/** The session and the user that the cookie of the seeded user number `index` holds. */
export const cachedSession = (index: number, now: Date) => ({
  session: {
    id: seededId("session", index),
    token: tokenOf(index),
    userId: seededId("user", index),
    expiresAt: new Date(now.getTime() + hourMilliseconds),
    createdAt: now,
    updatedAt: now,
    ipAddress: "127.0.0.1",
    userAgent: "bench",
    impersonatedBy: null,
    activeOrganizationId: null,
  },
  user: {
    id: seededId("user", index),
    name: seededName(index),
    email: emailOf(index),
    emailVerified: true,
    image: null,
    createdAt: now,
    updatedAt: now,
    username: null,
    displayUsername: null,
    role: "user",
    banned: false,
    banReason: null,
    banExpires: null,
  },
  epoch: 1,
});

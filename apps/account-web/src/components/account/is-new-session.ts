interface Started {
  id: string;
  /** An ISO time as in replies. */
  createdAt: string;
}

const newMs = 7 * 24 * 60 * 60 * 1000;

/** Returns whether a user should look at a session: it began within a week, and after the one that the user is in. */
export const isNewSession = (session: Started, current: Started | undefined, now: Date): boolean =>
  current !== undefined &&
  session.id !== current.id &&
  session.createdAt > current.createdAt &&
  now.getTime() - Date.parse(session.createdAt) < newMs;

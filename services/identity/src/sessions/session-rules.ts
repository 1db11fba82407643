/** Milliseconds since the epoch at which a used session is due to be extended. */
export const extensionDueAt = (
  expiresAt: Date,
  options: { expiresIn: number; updateAge: number },
): number => expiresAt.getTime() - options.expiresIn * 1000 + options.updateAge * 1000;

/** Whole seconds left until `expiresAt`, for a cookie's Max-Age. */
export const secondsLeft = (expiresAt: Date, now: number): number =>
  Math.max(0, Math.floor((expiresAt.getTime() - now) / 1000));

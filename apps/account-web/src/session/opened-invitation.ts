const key = "latchkey.invitation";

/** An invitation whose mailed link was opened in this tab. */
interface OpenedInvitation {
  id: string;
  /** From the link. Verifies the invited address in a sign-up. */
  proof?: string | undefined;
  /** The user accepts it as soon as they are signed in. */
  accepts?: boolean;
}

export const rememberInvitation = (opened: OpenedInvitation): void =>
  sessionStorage.setItem(key, JSON.stringify(opened));

export const forgetInvitation = (): void => sessionStorage.removeItem(key);

/** Returns the invitation that was opened last in this tab. */
export const openedInvitation = (): OpenedInvitation | undefined => {
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : (JSON.parse(text) as OpenedInvitation); // only this file writes it
};

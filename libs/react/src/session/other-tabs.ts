/** Follows sign-ins and sign-outs in other tabs and pages of this browser. */
export interface OtherTabs {
  start(): void;
  stop(): void;
  /** Lets the other tabs of this application look at the session. */
  announce(): void;
}

/** A user who switches between windows causes no request more often. */
const pauseMilliseconds = 5_000;

/**
 * Calls `onChange` when another tab has signed out, and when this tab becomes visible again: the user may have signed in on another page.
 */
export const watchOtherTabs = (url: string, onChange: () => void): OtherTabs => {
  let channel: BroadcastChannel | undefined;
  let lookedAt = 0;

  const look = () => {
    if (document.visibilityState !== "visible" || Date.now() - lookedAt < pauseMilliseconds) return;
    lookedAt = Date.now();
    onChange();
  };
  return {
    start: () => {
      lookedAt = Date.now();
      document.addEventListener("visibilitychange", look);
      channel = new BroadcastChannel(`latchkey:${url}`);
      channel.addEventListener("message", onChange);
    },
    stop: () => {
      document.removeEventListener("visibilitychange", look);
      channel?.close();
      channel = undefined;
    },
    announce: () => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only this origin
      channel?.postMessage("changed");
    },
  };
};

import type { QueryClient } from "@tanstack/react-query";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { accessQuery } from "./access-query.ts";
import { signInAddress } from "./account-web.ts";
import { impersonationQuery } from "./impersonation.ts";

/** A change of the session that concerns all tabs of the admin web in this browser. */
type SessionChange =
  | { readonly kind: "signed-out" }
  | { readonly kind: "signed-in"; readonly userId: string }
  | { readonly kind: "impersonation-ended" };

const channel = new BroadcastChannel(`latchkey-admin ${pageFacts.webPath}`);

/** Tells the other tabs about a change. This tab is not told. */
export const notifyTabs = (change: SessionChange): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches only its own origin
  channel.postMessage(change);
};

/** The address of the sign-in page after a sign-out. Loading it leaves no data in memory. */
export const signedOutAddress = signInAddress("/", "signed-out");

interface Tab {
  client: QueryClient;
  /** Removes everything that is shown. */
  blank: () => void;
  /** Removes everything that this tab keeps of the user. */
  forget: () => void;
}

/**
 * Follows the other tabs. Leaves after a sign-out, and reloads after a sign-in of another user. Removes the shown and cached data at
 * once, also from the copy that browsers keep for the way back. The end of an impersonation leaves the admin's own session as it was, so
 * the tab keeps what it shows, such as a new key or a running export.
 */
export const followTabs = ({ client, blank, forget }: Tab): void => {
  const leave = (proceed: () => void): void => {
    client.clear();
    blank();
    proceed();
  };
  const leaveUser = (proceed: () => void): void => {
    forget();
    leave(proceed);
  };
  channel.addEventListener("message", ({ data }: MessageEvent<SessionChange>) => {
    const access = client.getQueryData(accessQuery.queryKey);
    if (data.kind === "signed-out" && access)
      leaveUser(() => window.location.replace(signedOutAddress));
    if (data.kind === "signed-in" && access !== undefined && access?.user.id !== data.userId)
      leaveUser(() => window.location.reload());
    if (data.kind === "impersonation-ended")
      void client.invalidateQueries({ queryKey: impersonationQuery.queryKey });
  });
  // The browser's copy of a page may be older than a sign-out.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) leave(() => window.location.reload());
  });
};

import { pageFacts } from "@latchkey/ui/page-facts.ts";
import type { QueryClient } from "@tanstack/react-query";
import { redirect } from "@tanstack/react-router";
import { needTexts } from "../languages.ts";
import { type OwnSession, sessionQuery } from "../session/session-query.ts";

interface Visit {
  context: { queryClient: QueryClient };
  location: { href: string };
}

/** Returns the search of a page that leads back to the visited one. */
export const backTo = ({ location }: Pick<Visit, "location">) => ({
  redirect_to: `${pageFacts.webPath}${location.href}`,
});

/** Returns the session once the texts of screens for signed-in users are there, or null. */
export const loadSession = async ({ context }: Pick<Visit, "context">) => {
  const [session] = await Promise.all([
    context.queryClient.ensureQueryData(sessionQuery),
    needTexts("account"),
  ]);
  return session;
};

/** Returns the session. Without one, the user signs in first and comes back. */
export const requireSession = async (visit: Visit): Promise<OwnSession> => {
  const session = await loadSession(visit);
  if (!session) throw redirect({ to: "/sign-in", search: backTo(visit) });
  return session;
};

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { addressOf } from "../../session/address-of.ts";
import { sessionQuery } from "../../session/session-query.ts";

/** Navigates to the sign-in page when the session has ended. The next sign-in leads back to the same screen. */
export const useLeaveWhenSignedOut = (): void => {
  const { data: session } = useQuery(sessionQuery);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { href } = useLocation();
  const leave = useEffectEvent(async () => {
    await navigate({
      to: "/sign-in",
      search: { reason: "ended", redirect_to: addressOf(href) },
    });
    client.removeQueries({ queryKey: ["operation"] });
  });
  const isSignedOut = session === null;
  useEffect(() => {
    if (isSignedOut) void leave();
  }, [isSignedOut]);
};

import { useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { type Refusal, refusalOf } from "../access/access.ts";
import { useAccess } from "../access/use-access.ts";

/** Why somebody who was let in is let in no longer, as the sign-in page tells it. */
const reasons = { "signed-out": "ended", "not-admin": "demoted" } as const;

/** Leads to the sign-in page as soon as whoever is signed in has ceased to be, or to be an admin. */
export const useLeaveWhenRefused = (): void => {
  const { access } = useAccess();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { href } = useLocation();
  const leave = useEffectEvent(async (refusal: Refusal) => {
    await navigate({
      to: "/sign-in",
      search: { reason: reasons[refusal], redirect: href === "/" ? undefined : href },
    });
    // What the admin had seen is nobody's to see now.
    client.removeQueries({ queryKey: ["operation"] });
  });
  const refusal = refusalOf(access);
  useEffect(() => {
    if (refusal) void leave(refusal);
  }, [refusal]);
};

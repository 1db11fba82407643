import { useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { type Refusal, refusalOf } from "../access/access.ts";
import { placeKeyOf } from "../components/kept/use-scroll-memory.ts";
import { useAccess } from "../access/use-access.ts";

/** The sign-in page's reasons for a user who has lost access. */
const reasons = { "signed-out": "ended", "not-admin": "demoted" } as const;

/** Navigates to the sign-in page when the user is no longer signed in or no longer an admin. */
export const useLeaveWhenRefused = (): void => {
  const { access } = useAccess();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { href, state } = useLocation();
  const leave = useEffectEvent(async (refusal: Refusal) => {
    await navigate({
      to: "/sign-in",
      search: { reason: reasons[refusal], redirect: href === "/" ? undefined : href },
      state: { resumed: { key: placeKeyOf(state) }, ...(state.trail && { trail: state.trail }) },
    });
    // Removes the data that the former admin may no longer see.
    client.removeQueries({ queryKey: ["operation"] });
  });
  const refusal = refusalOf(access);
  useEffect(() => {
    if (refusal) void leave(refusal);
  }, [refusal]);
};

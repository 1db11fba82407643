import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useLocation, useNavigate } from "@tanstack/react-router";
import { refusalOf } from "../../access/access.ts";
import { accessQuery } from "../../access/access-query.ts";
import { tellTabs } from "../../access/tabs-in-step.ts";
import { placeOf } from "../../routes/place-of.ts";

const route = getRouteApi("/sign-in");

/** Returns a function that reads the access of the new session and sends admins to the screen that they wanted. */
export const useEnter = () => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { redirect = "/" } = route.useSearch();
  const { trail, resumed } = useLocation().state;
  return async () => {
    client.removeQueries({ queryKey: ["operation"] });
    const access = await client.fetchQuery({ ...accessQuery, staleTime: 0 });
    if (access) tellTabs({ kind: "signed-in", userId: access.user.id });
    if (refusalOf(access) === undefined) {
      const state = { ...(trail && { trail }), ...(resumed && { resumed }) };
      await navigate({ ...placeOf(redirect), state });
    }
  };
};

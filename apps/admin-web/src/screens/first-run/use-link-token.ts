import { getRouteApi, useLocation } from "@tanstack/react-router";
import { useEffect, useState } from "react";

const route = getRouteApi("/first-run");

/**
 * Returns the token from the fragment of the address. Removes it from the address immediately, so that it does not stay in the
 * browser's history.
 */
export const useLinkToken = (): string | undefined => {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = route.useNavigate();
  const given = new URLSearchParams(hash).get("token") ?? undefined;
  const [token, setToken] = useState(given);
  if (given !== undefined && given !== token) setToken(given);
  useEffect(() => {
    if (given !== undefined) void navigate({ to: ".", hash: "", replace: true });
  }, [given, navigate]);
  return token;
};

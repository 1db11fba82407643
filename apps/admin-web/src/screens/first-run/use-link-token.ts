import { getRouteApi, useLocation } from "@tanstack/react-router";
import { useEffect, useState } from "react";

const route = getRouteApi("/first-run");

/**
 * The token in the fragment of the link that led here, which leaves the address at once: from then on it is known to this screen
 * alone, and not to the history of the browser.
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

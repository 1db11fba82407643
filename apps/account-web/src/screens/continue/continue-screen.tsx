import type { TwoFactorChallenge } from "@latchkey/contracts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Navigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { SecondStep } from "../../components/second-factor/second-step.tsx";
import { sessionQuery } from "../../session/session-query.ts";
import { useArrive } from "../../session/use-arrive.ts";
import { ScreenError } from "../../shell/screen-error.tsx";
import { Splash } from "../../shell/splash.tsx";

const route = getRouteApi("/continue");

const methodsIn = (text: string): TwoFactorChallenge["twoFactorMethods"] =>
  (["totp", "otp"] as const).filter((method) => text.split(",").includes(method));

/** Sends a user who has just signed in to the page that they wanted. */
const Arrival = () => {
  const { redirect_to } = route.useSearch();
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const arrive = useArrive();
  const onArrived = useEffectEvent(arrive);
  const isSignedIn = Boolean(session);
  useEffect(() => {
    if (isSignedIn) void onArrived();
  }, [isSignedIn]);
  if (error) return <ScreenError error={error} reset={() => void refetch()} />;
  if (session === null) return <Navigate to="/sign-in" search={{ redirect_to, reason: "ended" }} />;
  return <Splash />;
};

/** Continues a sign-in that left this web: its second factor first, if it needs one. */
export const ContinueScreen = () => {
  const { redirect_to, error, twoFactorRedirect, twoFactorMethods, twoFactorEnrolment } =
    route.useSearch();
  const arrive = useArrive();
  const navigate = route.useNavigate();
  if (error !== undefined) return <Navigate to="/error" search={{ redirect_to, error }} />;
  // The key lets an arrival lead to another one.
  if (twoFactorRedirect === undefined) return <Arrival key={redirect_to} />;
  return (
    <SecondStep
      challenge={{
        twoFactorRedirect: true,
        twoFactorMethods: methodsIn(twoFactorMethods ?? ""),
        ...(twoFactorEnrolment !== undefined && { twoFactorEnrolment: true }),
      }}
      onPassed={arrive}
      onBack={(reason) => void navigate({ to: "/sign-in", search: { redirect_to, reason } })}
    />
  );
};

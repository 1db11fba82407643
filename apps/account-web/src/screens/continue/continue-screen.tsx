import type { TwoFactorChallenge } from "@latchkey/contracts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Navigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { CardPage } from "../../components/card-page.tsx";
import { SecondStep } from "../../components/second-factor/second-step.tsx";
import { useTranslation } from "../../languages.ts";
import { ownPath } from "../../session/destination.ts";
import { isRepeatedReturn, rememberReturn } from "../../session/repeated-return.ts";
import { sessionQuery } from "../../session/session-query.ts";
import { useArrive } from "../../session/use-arrive.ts";
import { ScreenError } from "../../shell/screen-error.tsx";
import { Splash } from "../../shell/splash.tsx";

const route = getRouteApi("/continue");

const methodsIn = (text: string): TwoFactorChallenge["twoFactorMethods"] =>
  (["totp", "otp"] as const).filter((method) => text.split(",").includes(method));

/** Offers the way to an application that has just sent the user back by itself. Going there at once again could repeat endlessly. */
const Returned = ({ onContinue }: { onContinue: () => Promise<void> }) => {
  const t = useTranslation("links");
  return (
    <CardPage outcome="done" title={t("returned.title")} lead={t("returned.text")}>
      <Button kind="primary" onClick={() => void onContinue()}>
        {t("page:continue")}
      </Button>
    </CardPage>
  );
};

/** Sends a user who has just signed in to the page that they wanted. */
const Arrival = () => {
  const { redirect_to: wanted } = route.useSearch();
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const elsewhere = wanted !== undefined && ownPath(wanted) === undefined ? wanted : undefined;
  const [isRepeated] = useState(() => elsewhere !== undefined && isRepeatedReturn(elsewhere));
  const arrive = useArrive();
  const leadOn = async () => {
    if (elsewhere !== undefined) rememberReturn(elsewhere);
    await arrive();
  };
  const onArrived = useEffectEvent(leadOn);
  const leadsOn = Boolean(session) && !isRepeated;
  useEffect(() => {
    if (leadsOn) void onArrived();
  }, [leadsOn]);
  if (error) return <ScreenError error={error} reset={() => void refetch()} />;
  if (session === null)
    return <Navigate to="/sign-in" search={{ redirect_to: wanted, reason: "ended" }} />;
  return session && isRepeated ? <Returned onContinue={leadOn} /> : <Splash />;
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

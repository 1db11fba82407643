import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { oneAtATime } from "./one-at-a-time.ts";

/** `useMutation` whose `mutate` does nothing while the previous call is pending, however fast it is called. */
export const useChange = <Reply, Input = void>(
  options: UseMutationOptions<Reply, Error, Input>,
) => {
  const { mutateAsync, ...mutation } = useMutation(options);
  const [alone] = useState(oneAtATime);
  return { ...mutation, mutate: (input: Input) => alone(() => mutateAsync(input)) };
};

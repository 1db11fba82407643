import { type ClassValue, clsx } from "clsx";
import { twMerge } from "tailwind-merge";

/** Puts class names together; of two that say the same thing the later one counts. */
export const classNames = (...given: ClassValue[]): string => twMerge(clsx(given));

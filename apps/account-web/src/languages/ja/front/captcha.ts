import type { Translation } from "../../messages.ts";

export const captcha: Translation<"front", "captcha"> = {
  title: "人間であることを確認してください",
  failed:
    "CAPTCHA を読み込めませんでした。接続を確認し、このページのコンテンツブロッカーを無効にして、もう一度お試しください。",
};

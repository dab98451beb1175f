import type { ServiceReader } from "../../../lambda/service/service.ts";

/** A reader with the test's answers. Every other call fails the test. */
export function stubReader(answers: Partial<ServiceReader>): ServiceReader {
  const unexpected = () => Promise.reject(new Error("the test did not expect this call"));
  return {
    completedOrders: unexpected,
    openOrder: unexpected,
    markets: unexpected,
    productSpecifications: unexpected,
    marketData: unexpected,
    hasRoom: () => true,
    begin: () => undefined,
    learned: () => ({ ratePerSecond: null, pausedUntil: null, notedAt: 0 }),
    counts: { requests: 0, refused: 0 },
    ...answers,
  };
}

import { testShare } from "./suite.ts";

testShare(1);

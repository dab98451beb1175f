import { testFew } from "./suite.ts";

testFew(200);

import { testFew } from "./suite.ts";

testFew();

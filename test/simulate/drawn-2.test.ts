import { testDrawn } from "./suite.ts";

testDrawn(1);

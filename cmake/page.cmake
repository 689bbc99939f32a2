# The HTML report's page (src/report/page/html_page*), embedded in the library `report` as read-only texts. The symbols are
# heddle_page_html, heddle_page_css, heddle_page_model_js, heddle_page_parts_js and heddle_page_js. The page of surveys
# (src/report/surveys/survey_page*) is heddle_survey_html, heddle_survey_css and heddle_survey_js; it takes style and parts of the
# report's page, too.

if(TARGET report)
  configure_file(cmake/page.S.in "${CMAKE_BINARY_DIR}/page.S" @ONLY)
  file(GLOB page_files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/report/page/html_page*" "${CMAKE_SOURCE_DIR}/src/report/surveys/survey_page*")
  set_source_files_properties("${CMAKE_BINARY_DIR}/page.S" PROPERTIES OBJECT_DEPENDS "${page_files}")
  target_sources(report PRIVATE "${CMAKE_BINARY_DIR}/page.S")
endif()
